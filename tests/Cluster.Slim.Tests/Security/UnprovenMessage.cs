using Cluster.Slim.Messages;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Tests.Security;

/// <summary>Messages that a writer refuses because no reader could find the keys of a collection in them.</summary>
internal static class UnprovenMessage
{
    public static byte[] Of<T>(SlimSerializer slim, T value)
    {
        SlimWriter writer = new(new WriterTypes(isSession: false), isProof: true);
        RootWriter.Begin(writer, slim.Engine, null);
        RootWriter.WriteObject(writer, slim.Engine, slim.Engine.Roots.Of<T>(), value);
        return writer.Written.ToArray();
    }
}
