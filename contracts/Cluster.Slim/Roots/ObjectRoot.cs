using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Roots;

/// <summary>Roots of a class, array or interface type.</summary>
/// <typeparam name="T">The declared type.</typeparam>
internal sealed class ObjectRoot<T>(AllowSet allowed) : Root<T?>(allowed)
    where T : class
{
    public override void Write(SlimWriter writer, T? value) => WriteObject(writer, value);

    public override T? Read(SlimReader reader) => (T?)ReadObject(reader);
}
