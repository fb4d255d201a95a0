ALTER TABLE `device` ADD `sealed_next_keys` blob;--> statement-breakpoint
ALTER TABLE `device` ADD `last_address` text;--> statement-breakpoint
ALTER TABLE `product` ADD `new_devices_until` integer;