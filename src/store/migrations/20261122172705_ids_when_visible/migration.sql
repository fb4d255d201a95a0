ALTER TABLE `checkin` ADD `shown_id` integer;--> statement-breakpoint
ALTER TABLE `checkin` ADD `old_late_no` integer;--> statement-breakpoint
ALTER TABLE `checkin_unresolved` ADD `shown_id` integer;--> statement-breakpoint
CREATE INDEX `checkin_old_late` ON `checkin` (`old_late_no`) WHERE old_late_no IS NOT NULL;--> statement-breakpoint
CREATE INDEX `checkin_old_place` ON `checkin` (`shown_id`) WHERE old_late_no IS NOT NULL;