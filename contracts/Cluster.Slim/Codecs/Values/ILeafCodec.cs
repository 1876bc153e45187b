using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>How the values of one class without references to user objects are written and rebuilt.</summary>
/// <typeparam name="T">The class.</typeparam>
internal interface ILeafCodec<T>
{
    /// <summary>Says what <see cref="Write"/> writes.</summary>
    static abstract void Describe(StepList steps);

    static abstract void Write(SlimWriter writer, T value);

    /// <summary>Rebuilds the value; the caller has charged
    /// <see cref="LeafSerializer{T, TCodec}.ObjectBytes"/>.</summary>
    static abstract T Read(SlimReader reader);
}
