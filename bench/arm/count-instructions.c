/*
 * A plugin of QEMU's emulators that counts the instructions a program executes, for each of its
 * threads, into a file that another process reads meanwhile: 256 counters of 8 bytes, 64 apart.
 *
 *     cc -O2 -shared -fPIC -o count.so count-instructions.c
 *     qemu-aarch64 -plugin ./count.so,out=FILE PROGRAM
 *
 * Version 1 of QEMU's plugin interface, declared here because Debian has no package of its header.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define COUNTERS 256

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                                  void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);

EXPORTED int qemu_plugin_version = 1;

/* Each in a cache line of its own: threads count without touching those of the others. */
static struct {
  uint64_t instructions, unused[7];
} *counters;

static void executed(unsigned thread, void *instructions) {
  counters[thread % COUNTERS].instructions += (uintptr_t)instructions;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
  (void)info;
  if (argc != 1 || strncmp(argv[0], "out=", 4) != 0) return 1;
  int file = open(argv[0] + 4, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, COUNTERS * sizeof *counters) != 0) return 1;
  counters = mmap(NULL, COUNTERS * sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (counters == MAP_FAILED) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
