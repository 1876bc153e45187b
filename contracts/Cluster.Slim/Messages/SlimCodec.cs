namespace Cluster.Slim.Messages;

/// <summary>Carries the values of one type in a user's own way. A value is written in two steps so that cycles work:
/// what its creation needs, then its content. One instance serves many threads.</summary>
/// <typeparam name="T">The exact type of the values.</typeparam>
public abstract class SlimCodec<T>
{
    /// <summary>Part of the layout fingerprint: raise it when the written form changes.</summary>
    /// <value>1.</value>
    public virtual int Version => 1;

    /// <summary>Writes what <see cref="Create"/> needs. For a struct this is everything.</summary>
    /// <param name="writer">Valid during the call.</param>
    /// <param name="value">Never null.</param>
    public abstract void Write(SlimWriter writer, T value);

    /// <summary>Reads what <see cref="Write"/> wrote and creates the value.</summary>
    /// <param name="reader">Valid during the call.</param>
    public abstract T Create(SlimReader reader);

    /// <summary>Writes the content of an object, after it has an identity. Not called for structs.</summary>
    /// <param name="writer">Valid during the call.</param>
    /// <param name="value">Never null.</param>
    public virtual void WriteContent(SlimWriter writer, T value)
    {
    }

    /// <summary>Reads what <see cref="WriteContent"/> wrote into the created object. Objects read here may not be
    /// complete yet: keep them, but do not call into them. Not called for structs.</summary>
    /// <param name="reader">Valid during the call.</param>
    /// <param name="value">The object that <see cref="Create"/> returned.</param>
    public virtual void ReadContent(SlimReader reader, T value)
    {
    }
}
