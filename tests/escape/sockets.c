// Sockets, shared memory and keys of others.
#include <arpa/inet.h>
#include <dirent.h>
#include <linux/vm_sockets.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "attempt.h"

// What the listener outside gets tells who sent it.
static void say(int fd) {
  if (send(fd, self, strlen(self), MSG_NOSIGNAL) < 0) printf("(%s)\n", strerror(errno));
  close(fd);
}
static socklen_t named(struct sockaddr_un* address, const char* path) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  snprintf(address->sun_path, sizeof address->sun_path, "%s", path);
  return sizeof *address;
}
static socklen_t abstracted(struct sockaddr_un* address, const char* name) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  size_t size = strlen(name);
  memcpy(address->sun_path + 1, name, size);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + size);
}
static void connect_and_say(int type, const struct sockaddr_un* address, socklen_t size) {
  int fd = socket(AF_UNIX, type, 0);
  if (connect(fd, (const struct sockaddr*)address, size) != 0) return show(-1);
  say(fd);
}
static void send_and_say(int type, const struct sockaddr_un* address, socklen_t size) {
  int fd = socket(AF_UNIX, type, 0);
  if (sendto(fd, self, strlen(self), 0, (const struct sockaddr*)address, size) < 0) show(-1);
}
static struct sockaddr_un g_address;
static void abstract_stream(void) {
  connect_and_say(SOCK_STREAM, &g_address, abstracted(&g_address, arena("abstract")));
}
static void abstract_datagram(void) {
  send_and_say(SOCK_DGRAM, &g_address, abstracted(&g_address, arena("abstract_datagram")));
}
static void abstract_raw(void) {  // which the kernel takes for datagrams
  send_and_say(SOCK_RAW, &g_address, abstracted(&g_address, arena("abstract_datagram")));
}
static void path_stream(void) {
  connect_and_say(SOCK_STREAM, &g_address, named(&g_address, outside("stream")));
}
static void path_datagram(void) {
  send_and_say(SOCK_DGRAM, &g_address, named(&g_address, outside("datagram")));
}
static void path_raw(void) {
  send_and_say(SOCK_RAW, &g_address, named(&g_address, outside("datagram")));
}
static void path_raw_connected(void) {
  connect_and_say(SOCK_RAW, &g_address, named(&g_address, outside("datagram")));
}
static void path_pair(void) {  // one that is connected already
  int pair[2];
  const socklen_t size = named(&g_address, outside("datagram"));
  for (int type = 1; type < 6; ++type) {
    if (socketpair(AF_UNIX, type, 0, pair) != 0) continue;
    sendto(pair[0], self, strlen(self), 0, (struct sockaddr*)&g_address, size);
    if (connect(pair[0], (struct sockaddr*)&g_address, size) == 0) say(pair[0]);
  }
}
static void path_symlink(void) {
  symlink(outside("stream"), "to-stream");
  connect_and_say(SOCK_STREAM, &g_address, named(&g_address, "to-stream"));
}
static void path_descriptor(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", open(outside("stream"), O_PATH));
  connect_and_say(SOCK_STREAM, &g_address, named(&g_address, path));
}
static void path_message(void) {
  const socklen_t size = named(&g_address, outside("datagram"));
  struct iovec data = {(void*)self, strlen(self)};
  struct mmsghdr message = {.msg_hdr = {&g_address, size, &data, 1, NULL, 0, 0}};
  if (sendmmsg(socket(AF_UNIX, SOCK_DGRAM, 0), &message, 1, 0) < 0) show(-1);
}

static struct sockaddr_in loopback(const char* port) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons((unsigned short)atoi(arena(port)));
  return address;
}
static void tcp(void) {
  struct sockaddr_in address = loopback("tcp");
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr*)&address, sizeof address) != 0) return show(-1);
  say(fd);
}
static void tcp_fast(void) {  // without connect
  struct sockaddr_in address = loopback("tcp");
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (sendto(fd, self, strlen(self), MSG_FASTOPEN, (struct sockaddr*)&address, sizeof address) < 0)
    show(-1);
}
static void tcp6(void) {
  struct sockaddr_in6 address = {.sin6_family = AF_INET6};
  inet_pton(AF_INET6, "::ffff:127.0.0.1", &address.sin6_addr);
  address.sin6_port = htons((unsigned short)atoi(arena("tcp")));
  int fd = socket(AF_INET6, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr*)&address, sizeof address) != 0) return show(-1);
  say(fd);
}
static void tcp_multipath(void) {
  struct sockaddr_in address = loopback("tcp");
  int fd = socket(AF_INET, SOCK_STREAM, 262 /*IPPROTO_MPTCP*/);
  if (connect(fd, (struct sockaddr*)&address, sizeof address) != 0) return show(-1);
  say(fd);
}
static void udp(void) {
  struct sockaddr_in address = loopback("udp");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (sendto(fd, self, strlen(self), 0, (struct sockaddr*)&address, sizeof address) < 0) show(-1);
}
static void high_bits(void) {  // of a number that the kernel cuts to 32 bits
  struct sockaddr_in address = loopback("tcp");
  int fd = (int)syscall(SYS_socket, 0x100000000UL | AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr*)&address, sizeof address) != 0) return show(-1);
  say(fd);
}
static void virtual_machine(void) {
  struct sockaddr_vm address = {.svm_family = AF_VSOCK, .svm_cid = 1 /*this machine*/};
  address.svm_port = (unsigned)atoi(arena("vsock"));
  int fd = socket(AF_VSOCK, SOCK_STREAM, 0);
  const struct timeval patience = {0, 200000};
  setsockopt(fd, AF_VSOCK, SO_VM_SOCKETS_CONNECT_TIMEOUT, &patience, sizeof patience);
  if (connect(fd, (struct sockaddr*)&address, sizeof address) != 0) return show(-1);
  say(fd);
}

static void segments(void) {
  const char* text = shmat(atoi(arena("segment")), NULL, SHM_RDONLY);
  if (text == (void*)-1) return show(-1);
  printf("%.64s\n", text);
}
static void shared_file(void) {
  char path[256];
  snprintf(path, sizeof path, "/dev/shm/%s", arena("shared_file"));
  show_path(path);
}
static void queue(void) {
  char bytes[8192] = "";
  mqd_t fd = mq_open(arena("queue"), O_RDONLY | O_NONBLOCK);
  if (fd < 0 || mq_receive(fd, bytes, sizeof bytes, NULL) < 0) return show(-1);
  puts(bytes);
}
static void key(void) {
  char bytes[128] = "";
  const int id = atoi(arena("key"));
  if (syscall(SYS_keyctl, 11 /*read*/, id, bytes, sizeof bytes - 1) < 0) return show(-1);
  puts(bytes);
}

const struct attempt kSockets[] = {
    {"abstract-stream", abstract_stream},
    {"abstract-datagram", abstract_datagram},
    {"abstract-raw", abstract_raw},
    {"socket-stream", path_stream},
    {"socket-datagram", path_datagram},
    {"socket-raw", path_raw},
    {"socket-raw-connected", path_raw_connected},
    {"socket-pair", path_pair},
    {"socket-symlink", path_symlink},
    {"socket-path-descriptor", path_descriptor},
    {"socket-message", path_message},
    {"net-tcp", tcp},
    {"net-tcp-fast", tcp_fast},
    {"net-tcp6", tcp6},
    {"net-tcp-multipath", tcp_multipath},
    {"net-udp", udp},
    {"net-high-bits", high_bits},
    {"net-virtual-machine", virtual_machine},
    {"shared-segment", segments},
    {"shared-file", shared_file},
    {"shared-queue", queue},
    {"kernel-key", key},
    {NULL, NULL}};
