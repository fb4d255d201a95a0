CREATE TABLE `correction` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`asked_by` text NOT NULL,
	`asked_at` integer NOT NULL,
	`reverses` integer
);
--> statement-breakpoint
CREATE TABLE `correction_decision` (
	`correction_id` integer PRIMARY KEY,
	`state` text NOT NULL,
	`decided_by` text NOT NULL,
	`decided_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `correction_item` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`correction_id` integer NOT NULL,
	`ext_id` text NOT NULL,
	`at_seconds` integer NOT NULL,
	`checkin_id` integer
);
--> statement-breakpoint
CREATE INDEX `correction_by_reversed` ON `correction` (`reverses`) WHERE reverses IS NOT NULL;--> statement-breakpoint
CREATE INDEX `correction_item_by_correction` ON `correction_item` (`correction_id`);--> statement-breakpoint
CREATE INDEX `correction_item_by_person` ON `correction_item` (`ext_id`,`at_seconds`);--> statement-breakpoint
CREATE INDEX `correction_item_by_checkin` ON `correction_item` (`checkin_id`) WHERE checkin_id IS NOT NULL;