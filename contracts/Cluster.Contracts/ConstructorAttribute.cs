namespace Cluster.Contracts;

/// <summary>Marks a contract method that makes an instance of a stateful service and returns its
/// <see cref="GlueInstance"/>, as itself or by a task. It runs on the new object; whatever it returns, its caller gets
/// the handle.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ConstructorAttribute : Attribute;
