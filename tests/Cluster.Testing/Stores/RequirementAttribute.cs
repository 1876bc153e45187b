namespace Cluster.Testing.Stores;

/// <summary>Marks a test class whose conformance facts need something that the machine may lack. Without it the facts
/// are skipped, and the runner prints the reason.</summary>
[AttributeUsage(AttributeTargets.Class)]
public abstract class RequirementAttribute : Attribute
{
    /// <summary>What is missing and how to get it; <c>null</c> if nothing is missing.</summary>
    public abstract string? Missing { get; }
}
