using Xunit.Sdk;

namespace Cluster.Testing;

/// <summary>Rents canary arrays beside each test of a class, and fails it when somebody wrote into them: for tests in
/// which something is cut, given up or out of time. Tests of a class run one after the other.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class WithCanaryArraysAttribute : BeforeAfterTestAttribute
{
    private CanaryArrays? _canaries;

    /// <inheritdoc />
    public override void Before(MethodInfo methodUnderTest) => _canaries = new CanaryArrays();

    /// <inheritdoc />
    public override void After(MethodInfo methodUnderTest) => _canaries?.Dispose();
}
