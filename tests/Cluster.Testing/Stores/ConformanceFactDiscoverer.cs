using Xunit.Abstractions;
using Xunit.Sdk;

namespace Cluster.Testing.Stores;

/// <summary>Makes the test cases of <see cref="ConformanceFactAttribute"/>. Created by xunit; stateless.</summary>
/// <param name="messages">Where the runner wants diagnostics.</param>
public sealed class ConformanceFactDiscoverer(IMessageSink messages) : IXunitTestCaseDiscoverer
{
    /// <inheritdoc />
    public IEnumerable<IXunitTestCase> Discover(
        ITestFrameworkDiscoveryOptions discoveryOptions, ITestMethod testMethod, IAttributeInfo factAttribute) =>
        [new ConformanceTestCase(messages, discoveryOptions, testMethod)];
}
