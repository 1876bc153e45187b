using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Writes and reads the default order of a type. There is one object for each type, so nothing is
/// written.</summary>
/// <typeparam name="T">The compared type.</typeparam>
internal readonly struct DefaultOrderCodec<T> : ILeafCodec<Comparer<T>>
{
    public static void Describe(StepList steps)
    {
    }

    public static void Write(SlimWriter writer, Comparer<T> value)
    {
        if (!value.Equals(Comparer<T>.Default))
            throw Throw.NotSupported(value.GetType(), "it is not the default comparer; write a comparer class.");
    }

    public static Comparer<T> Read(SlimReader reader) => Comparer<T>.Default;
}
