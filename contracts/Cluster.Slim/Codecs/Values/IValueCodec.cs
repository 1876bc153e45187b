using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>How the values of one framework struct without references to user objects are written and
/// rebuilt.</summary>
/// <typeparam name="T">The struct.</typeparam>
internal interface IValueCodec<T>
{
    /// <summary>The smallest number of bytes a value takes.</summary>
    static abstract int BytesMin { get; }

    /// <summary>Says what <see cref="Write"/> writes.</summary>
    static abstract void Describe(StepList steps);

    static abstract void Write(SlimWriter writer, T value);

    static abstract T Read(SlimReader reader);
}
