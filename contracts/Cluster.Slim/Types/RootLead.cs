using Cluster.Slim.Plans;

namespace Cluster.Slim.Types;

/// <summary>
/// How every standalone message begins whose root is of exactly the declared type: header, head and type of the root.
/// Writers copy it and readers compare it, instead of describing and finding the same type for every message. Made
/// after the first such message; immutable; shared by all threads.
/// </summary>
/// <param name="Plan">The plan of the declared type.</param>
/// <param name="Described">The type as the first entry of a type table, or null when it has none there.</param>
/// <param name="Bytes">The first bytes of the message.</param>
/// <param name="IsShareless">Whether no object below the root can be referred to twice.</param>
internal sealed record RootLead(ObjectPlan Plan, DescribedType? Described, byte[] Bytes, bool IsShareless);
