namespace Cluster.Contracts;

/// <summary>Marks a contract method that may run twice for one call without harm. Where resilience is configured, it
/// may be called again although nobody knows whether it ran, and at two servers at once.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class IdempotentAttribute : Attribute;
