using Cluster.Testing;

namespace Cluster.SystemTests.Interop;

/// <summary>A fact that needs node and the packages of the js folder.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class RequiresGrpcJsFactAttribute() : RequiresFactAttribute(InteropTools.MissingGrpcJs);
