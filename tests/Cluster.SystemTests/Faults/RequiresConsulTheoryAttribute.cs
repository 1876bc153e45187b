using Cluster.Testing.Consul;

namespace Cluster.SystemTests.Faults;

/// <summary>A theory that needs a Consul server on this machine. Skipped, with the reason, if there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class RequiresConsulTheoryAttribute : TheoryAttribute
{
    public RequiresConsulTheoryAttribute() => Skip = ConsulBinary.Missing;
}
