namespace Cluster.Testing.Stores;

/// <summary>On a test class: its conformance facts need something that the machine may lack. They are then skipped, and
/// the runner prints the reason.</summary>
[AttributeUsage(AttributeTargets.Class)]
public abstract class RequirementAttribute : Attribute
{
    /// <summary>What is missing and how to get it; <c>null</c> when everything is there.</summary>
    public abstract string? Missing { get; }
}
