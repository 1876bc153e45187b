namespace Cluster.Contracts;

/// <summary>Marks a contract method whose caller does not wait for it to run: the call completes when it is queued for
/// sending. The method returns void, <see cref="Task"/> or <see cref="ValueTask"/>; its failure is logged and counted
/// on the server only.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OneWayAttribute : Attribute;
