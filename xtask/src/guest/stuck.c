#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_if_regular(int fd) {
    struct stat status;
    const char *flag = getenv("GUEST_STUCK");
    if (flag && access(flag, F_OK) == 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        for (int i = 0; i < 120; i++) sleep(1);
}

ssize_t write(int fd, const void *data, size_t size) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    wait_if_regular(fd);
    return real(fd, data, size);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    static ssize_t (*real)(int, const struct iovec *, int);
    if (!real) real = dlsym(RTLD_NEXT, "writev");
    wait_if_regular(fd);
    return real(fd, parts, count);
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    wait_if_regular(fd);
    return real(fd);
}
