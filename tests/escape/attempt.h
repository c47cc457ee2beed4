// Attempts to get over the line, each a small function that runs in a process of its own.
// What one brings back it prints; what it changes, others look at from outside.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct attempt {
  const char* name;
  void (*run)(void);
};

// Each file of attempts ends its table with a name that is null.
extern const struct attempt kReading[], kChanging[], kDenied[], kGit[], kProcesses[], kSockets[],
    kKernel[], kRaces[];

// A value of the file "arena" in the working directory; "" if it has none of that name.
const char* arena(const char* key);
// The path of `name` in the directory outside; valid until the next four calls.
const char* outside(const char* name);
// This attempt's own file outside, which nobody may change.
const char* canary(void);
// The attempt's name.
extern const char* self;

void show(int fd);                 // prints what can be read, and closes
void show_path(const char* path);  // opens, and shows
void put(int fd, const char* text);
void put_path(const char* path, const char* text);  // creates or empties, and writes
void reached(long result);                          // prints REACHED unless it is an error
double seconds(void);
// What races run for.
double race_time(void);
