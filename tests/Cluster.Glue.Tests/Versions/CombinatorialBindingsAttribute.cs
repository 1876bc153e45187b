using Xunit.Sdk;

namespace Cluster.Glue.Tests.Versions;

/// <summary>Runs a theory over each binding that serializes.</summary>
public sealed class CombinatorialBindingsAttribute : DataAttribute
{
    public override IEnumerable<object[]> GetData(MethodInfo testMethod) =>
        Enum.GetValues<VersionTests.Binding>().Select(binding => new object[] { binding });
}
