using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and rebuilds the values of one framework struct that has no references to user objects.</summary>
/// <typeparam name="T">The struct.</typeparam>
internal interface IValueCodec<T>
{
    /// <summary>The least number of bytes of a value.</summary>
    static abstract int BytesMin { get; }

    /// <summary>Describes the steps of <see cref="Write"/>.</summary>
    static abstract void Describe(StepList steps);

    static abstract void Write(SlimWriter writer, T value);

    static abstract T Read(SlimReader reader);
}
