import { hasTool } from '../support/tools.ts';

const needs = [
  ['qemu-system-aarch64', 'qemu-system-arm'],
  ['qemu-aarch64-static', 'qemu-user-static'],
  ['arch-test', 'arch-test'],
  ['mmdebstrap', 'mmdebstrap'],
  ['genimage', 'genimage'],
  ['mcopy', 'mtools'],
  ['mke2fs', 'e2fsprogs'],
  ['mkdosfs', 'dosfstools'],
  ['bmaptool', 'bmap-tools'],
  ['grub-mkimage', 'grub-common'],
  ['rauc', 'rauc'],
  ['mksquashfs', 'squashfs-tools'],
] as const;
const missing = needs.filter(([tool]) => !hasTool(tool)).map(([, debianPackage]) => debianPackage);
/** Whether images can be made and booted here. */
export const possible = process.arch === 'x64' && missing.length === 0 && process.getuid?.() === 0;
/** What is missing otherwise. */
export const why =
  missing.length > 0
    ? `needs ${missing.join(', ')}: apt-get install qemu-efi-aarch64 ${missing.join(' ')}`
    : 'needs root, on a machine of the kind x86_64';
