namespace Cluster.Contracts;

/// <summary>Declares that the instances of a stateful service may be called by several callers at once. Without it the
/// calls to one instance run one after the other, in the order of their arrival.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class ThreadSafeAttribute : Attribute;
