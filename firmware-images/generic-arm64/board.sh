# shellcheck shell=bash disable=SC2034,SC2154
# Any arm64 board or machine with UEFI (or U-Boot with EFI), from card, stick, eMMC, NVMe or disk.
root_size=1000M
card_device=/dev/disk/by-partlabel/card
data_device=/dev/disk/by-partlabel/data
imager_devices='[]'

# The EFI partition is the card that the installer sees. The kernel and the initrd lie in each slot's root.
board_boot_files() {
  mkdir -p "$work/fat/card/EFI/BOOT" "$work/fat/card/grub"
  grub-mkimage -d "$root/usr/lib/gatehouse-boot/arm64-efi" -O arm64-efi -c "$here/generic-arm64/grub-early.cfg" -p /grub \
    -o "$work/fat/card/EFI/BOOT/BOOTAA64.EFI" \
    part_gpt fat ext2 normal configfile linux loadenv search search_label test echo sleep regexp reboot halt serial terminal \
    minicmd efi_gop all_video gzio
  cp "$here/generic-arm64/grub.cfg" "$work/fat/card/grub/grub.cfg"
  grub-editenv "$work/fat/card/grub/grubenv" create
  grub-editenv "$work/fat/card/grub/grubenv" set 'ORDER=A B' A_OK=1 A_TRY=0 B_OK=0 B_TRY=0
  # RAUC finds it before the one of GRUB.
  install -D -m 0755 "$here/generic-arm64/grub-editenv" "$root/usr/local/sbin/grub-editenv"
  rm -rf "$root/usr/lib/gatehouse-boot"
}
