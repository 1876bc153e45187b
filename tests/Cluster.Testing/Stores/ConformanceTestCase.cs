using Xunit.Abstractions;
using Xunit.Sdk;

namespace Cluster.Testing.Stores;

/// <summary>One fact of a suite in one class that inherits it. It asks that class what the machine must have. Owned by
/// xunit.</summary>
public sealed class ConformanceTestCase : XunitTestCase
{
    /// <summary>Used by xunit, which then fills the case with data from another process.</summary>
    [Obsolete("Called by xunit only.")]
    public ConformanceTestCase()
    {
    }

    /// <summary>Makes the case of one method in one class.</summary>
    /// <param name="messages">The sink for the runner's diagnostics.</param>
    /// <param name="options">The runner's settings.</param>
    /// <param name="method">The method, in the class that inherits it.</param>
    public ConformanceTestCase(IMessageSink messages, ITestFrameworkDiscoveryOptions options, ITestMethod method)
        : base(messages, options.MethodDisplayOrDefault(), options.MethodDisplayOptionsOrDefault(), method)
    {
    }

    /// <inheritdoc />
    protected override string GetSkipReason(IAttributeInfo factAttribute) =>
        base.GetSkipReason(factAttribute) ?? MissingRequirement()!;

    private string? MissingRequirement() => TestMethod.TestClass.Class.ToRuntimeType()
        .GetCustomAttributes(typeof(RequirementAttribute), inherit: true)
        .Cast<RequirementAttribute>()
        .Select(requirement => requirement.Missing)
        .FirstOrDefault(missing => missing is not null);
}
