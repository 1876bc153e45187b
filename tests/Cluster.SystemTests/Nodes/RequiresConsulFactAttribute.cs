using Cluster.Testing;
using Cluster.Testing.Consul;

namespace Cluster.SystemTests.Nodes;

/// <summary>A fact that needs a Consul server on this machine. Skipped, with the reason, if there is none.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class RequiresConsulFactAttribute() : RequiresFactAttribute(ConsulBinary.Missing);
