using Cluster.Testing.Stores;

namespace Cluster.Testing.Consul;

/// <summary>Marks a class that inherits a conformance suite: its facts are skipped, with the reason, if Consul is
/// missing.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class RequiresConsulAttribute : RequirementAttribute
{
    /// <inheritdoc />
    public override string? Missing => ConsulBinary.Missing;
}
