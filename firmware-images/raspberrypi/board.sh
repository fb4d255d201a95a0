# shellcheck shell=bash disable=SC2034,SC2154
# Raspberry Pi 3, 4 and 5 (and the compute modules of the same chips). Their firmware reads FAT partitions of an MBR, and
# no boot loader comes between: which of the two boot partitions is started stands in autoboot.txt on the first one.
root_size=1000M
disk_signature=47485047
card_device=PARTUUID=$disk_signature-01
data_device=PARTUUID=$disk_signature-07
imager_devices='["pi3-64bit", "pi4-64bit", "pi5-64bit"]'

board_boot_files() {
  local firmware=$root/usr/lib/gatehouse-boot/raspi-firmware boot=$work/fat/boot
  mkdir -p "$boot"
  # The Pi 3 loads bootcode.bin from the first partition, and that one follows autoboot.txt.
  cp "$firmware/bootcode.bin" "$here/raspberrypi/autoboot.txt" "$work/fat/card/"
  cp -r "$firmware"/{start,start_cd,start4,start4cd}.elf "$firmware"/{fixup,fixup_cd,fixup4,fixup4cd}.dat "$firmware/overlays" "$boot/"
  cp "$root"/usr/lib/linux-image-*/broadcom/bcm27*.dtb "$root"/usr/lib/linux-image-*/broadcom/bcm28*.dtb "$boot/"
  cp "$(readlink -f "$root"/boot/vmlinuz-*)" "$boot/vmlinuz"
  cp "$(readlink -f "$root"/boot/initrd.img-*)" "$boot/initrd.img"
  cp "$here/raspberrypi/config.txt" "$boot/"
  local slot
  for slot in a b; do
    sed -e "s/@ROOT@/$([ $slot = a ] && echo 05 || echo 06)/" -e "s/@SLOT@/${slot^^}/" -e "s/@DISK@/$disk_signature/" \
      "$here/raspberrypi/cmdline.txt" >"$boot/cmdline-$slot.txt"
  done
  install -D -m 0755 "$here/raspberrypi/pi-bootloader" "$root/usr/lib/gatehouse/image/pi-bootloader"
  rm -rf "$root/usr/lib/gatehouse-boot"
}
