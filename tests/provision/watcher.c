// Stands in the test image: says what happens in a directory, one line each: the kind and the name.
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

int main(int count, char** arguments) {
  char buffer[4096] __attribute__((aligned(8)));
  const int watch = inotify_init();
  if (count != 2 || inotify_add_watch(watch, arguments[1], IN_ALL_EVENTS) < 0) return 1;
  dprintf(1, "watching\n");
  for (ssize_t size; (size = read(watch, buffer, sizeof buffer)) > 0;) {
    for (char* at = buffer; at < buffer + size;) {
      const struct inotify_event* const event = (const struct inotify_event*)at;
      const char* const name = event->len > 0 ? event->name : "";
      if (event->mask & IN_MOVED_TO) dprintf(1, "moved to %s\n", name);
      if (event->mask & IN_CLOSE_WRITE) dprintf(1, "written %s\n", name);
      if (event->mask & IN_DELETE) dprintf(1, "removed %s\n", name);
      at += sizeof *event + event->len;
    }
  }
  return 0;
}
