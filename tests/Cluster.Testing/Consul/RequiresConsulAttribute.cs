using Cluster.Testing.Stores;

namespace Cluster.Testing.Consul;

/// <summary>On a class that inherits a conformance suite: it is skipped, with the reason, where Consul is
/// missing.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class RequiresConsulAttribute : RequirementAttribute
{
    /// <inheritdoc />
    public override string? Missing => ConsulBinary.Missing;
}
