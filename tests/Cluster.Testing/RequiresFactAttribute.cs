namespace Cluster.Testing;

/// <summary>Base of facts that need something that the machine may lack. The derived class finds out what is missing;
/// the runner then skips the test and prints that reason. Skips count as failures in <c>.ci/run</c> unless
/// <c>tests/allowed-skips.txt</c> lists them.</summary>
[AttributeUsage(AttributeTargets.Method)]
public abstract class RequiresFactAttribute : Xunit.FactAttribute
{
    /// <summary>Skips the test if something is missing.</summary>
    /// <param name="missing">What is missing and how to get it; <c>null</c> if nothing is missing.</param>
    protected RequiresFactAttribute(string? missing) => Skip = missing;
}
