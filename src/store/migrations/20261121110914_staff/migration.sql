CREATE TABLE `admin_token` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`token_hash` text NOT NULL UNIQUE,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`made_by` text NOT NULL,
	`made_at` integer NOT NULL,
	`ends_at` integer,
	`used_at` integer
);
--> statement-breakpoint
CREATE TABLE `audit_entry` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`role` text NOT NULL,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`outcome` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entry_by_actor` ON `audit_entry` (`actor`,`id`);