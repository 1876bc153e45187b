using Cluster.Testing;

namespace Cluster.SystemTests.Interop;

/// <summary>A fact that needs the system's Python with grpcio.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class RequiresGrpcioFactAttribute() : RequiresFactAttribute(InteropTools.MissingGrpcio);
