namespace Cluster.Testing.Consul;

/// <summary>A fact that starts a Consul server of its own; skipped, with the reason, where the program is
/// missing.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ConsulFactAttribute() : RequiresFactAttribute(ConsulBinary.Missing);
