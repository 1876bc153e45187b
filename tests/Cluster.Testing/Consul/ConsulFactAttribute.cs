namespace Cluster.Testing.Consul;

/// <summary>A fact that starts its own Consul server. Skipped, with the reason, if the program is missing.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ConsulFactAttribute() : RequiresFactAttribute(ConsulBinary.Missing);
