ALTER TABLE `department` ADD `missing_since` integer;--> statement-breakpoint
ALTER TABLE `employee` ADD `missing_since` integer;