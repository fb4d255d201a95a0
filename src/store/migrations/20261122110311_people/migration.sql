CREATE TABLE `biometric_record` (
	`ext_id` text NOT NULL,
	`seq` integer NOT NULL,
	CONSTRAINT `biometric_record_pk` PRIMARY KEY(`ext_id`, `seq`)
);
--> statement-breakpoint
CREATE TABLE `erasure` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text NOT NULL,
	`at` integer NOT NULL,
	`through_seq` integer NOT NULL,
	`done_at` integer
);
--> statement-breakpoint
ALTER TABLE `device` ADD `people_data` text;--> statement-breakpoint
ALTER TABLE `product` ADD `pass_features` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `employee` ADD `sealed_mobile` blob;--> statement-breakpoint
ALTER TABLE `organization_conflict` ADD `sealed_sides` blob;--> statement-breakpoint
ALTER TABLE `organization_conflict` ADD `fingerprint` text;--> statement-breakpoint
CREATE INDEX `biometric_record_by_seq` ON `biometric_record` (`seq`);--> statement-breakpoint
CREATE INDEX `erasure_by_person` ON `erasure` (`ext_id`,`through_seq`);