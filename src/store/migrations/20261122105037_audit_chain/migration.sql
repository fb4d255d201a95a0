CREATE TABLE `audit_chain` (
	`chain` text PRIMARY KEY,
	`begun_at` integer NOT NULL,
	`begin_id` integer NOT NULL,
	`begin_hash` text NOT NULL,
	`head_id` integer NOT NULL,
	`head_hash` text NOT NULL,
	`unchained_through` integer NOT NULL,
	`removed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `chain` text;--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `count` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `last_at` integer;--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `hash` text;--> statement-breakpoint
CREATE INDEX `audit_entry_by_chain` ON `audit_entry` (`chain`,`id`);