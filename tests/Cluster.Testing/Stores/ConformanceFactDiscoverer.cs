using Xunit.Abstractions;
using Xunit.Sdk;

namespace Cluster.Testing.Stores;

/// <summary>Creates the test cases of <see cref="ConformanceFactAttribute"/>. Created by xunit; stateless.</summary>
/// <param name="messages">The sink for the runner's diagnostics.</param>
public sealed class ConformanceFactDiscoverer(IMessageSink messages) : IXunitTestCaseDiscoverer
{
    /// <inheritdoc />
    public IEnumerable<IXunitTestCase> Discover(
        ITestFrameworkDiscoveryOptions discoveryOptions, ITestMethod testMethod, IAttributeInfo factAttribute) =>
        [new ConformanceTestCase(messages, discoveryOptions, testMethod)];
}
