namespace Cluster.Contracts;

/// <summary>Marks a contract method that ends the instance it is called on: once it has returned, the object is
/// disposed and its handle leads nowhere. A method that throws leaves the instance as it is.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class DestructorAttribute : Attribute;
