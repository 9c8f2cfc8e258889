import { z } from 'zod';

/** What the check Delivery specification expects of a file. Null: anything is accepted. */
export const DeliverySpecLimits = z.strictObject({});
