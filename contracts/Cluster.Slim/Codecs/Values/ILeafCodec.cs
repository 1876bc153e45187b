using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and rebuilds the values of one class that has no references to user objects.</summary>
/// <typeparam name="T">The class.</typeparam>
internal interface ILeafCodec<T>
{
    /// <summary>Describes the steps of <see cref="Write"/>.</summary>
    static abstract void Describe(StepList steps);

    static abstract void Write(SlimWriter writer, T value);

    /// <summary>Rebuilds the value. The caller has charged <see cref="LeafSerializer{T, TCodec}.ObjectBytes"/>; the
    /// codec charges the rest.</summary>
    static abstract T Read(SlimReader reader);
}
