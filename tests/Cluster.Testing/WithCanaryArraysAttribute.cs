using Xunit.Sdk;

namespace Cluster.Testing;

/// <summary>Rents canary arrays during each test of a class, and fails the test if other code wrote into them. Used for
/// tests in which something is cut, given up or timed out. The tests of a class run one after the other.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class WithCanaryArraysAttribute : BeforeAfterTestAttribute
{
    private CanaryArrays? _canaries;

    /// <inheritdoc />
    public override void Before(MethodInfo methodUnderTest) => _canaries = new CanaryArrays();

    /// <inheritdoc />
    public override void After(MethodInfo methodUnderTest) => _canaries?.Dispose();
}
