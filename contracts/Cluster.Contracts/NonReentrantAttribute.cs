namespace Cluster.Contracts;

/// <summary>Declares that a call to an instance of a stateful service also waits when the call inside waits for it:
/// when it is made by a callback of that one, on its behalf. Such a call fails after <c>InstanceLockTimeout</c>.
/// Without the attribute it enters at once, so that the two do not block each other.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class NonReentrantAttribute : Attribute;
