using Cluster.Slim.Layouts;

namespace Cluster.Slim.Plans;

/// <summary>
/// How objects of one exact type (a boxed value counts as an object) are written and read: a head with what creation
/// needs, then a body. Immutable after construction except for lazily compiled parts; shared by all threads.
/// </summary>
internal abstract class ObjectPlan(Type type)
{
    private const int HandleBytes = 32;

    internal Type Type { get; } = type;

    /// <summary>The code of a type that the format knows by itself, or zero.</summary>
    internal int WireCode { get; set; }

    /// <summary>The number of the type in this serializer, for messages that never leave it.</summary>
    internal int ProcessId { get; set; }

    /// <summary>The description that the full schema sends; made at first use, racily but equal.</summary>
    internal byte[]? DescriptionText { get; set; }

    /// <summary>The layout fingerprint, or zero before its first use; written racily but equal.</summary>
    internal ulong Fingerprint { get; set; }

    /// <summary>What a reader charges for an object of the type at least; what depends on the content is charged where
    /// it is written. Never less than what it does charge.</summary>
    internal int GraphBytes { get; private protected init; } = 256;

    /// <summary>The same with what it charges for the handle; its table doubles, and what it had is charged, too.
    /// </summary>
    internal int ForeseenBytes { get; private set; }

    /// <summary>Whether a user's finalizer would run on objects of the type.</summary>
    internal bool HasFinalizer { get; } = Types.Refusals.HasFinalizer(type);

    /// <summary>Whether objects of the type have an identity. Strings do not.</summary>
    internal bool IsTracked { get; } = type != typeof(string);

    /// <summary>False when the object cannot exist before all of it has been read.</summary>
    internal virtual bool HasBody => true;

    /// <summary>Whether the head can contain references, so that it might refer to the object itself.</summary>
    internal virtual bool HeadHasReferences => false;

    /// <summary>Says what head and body are on the wire, so that readers of other versions can follow.</summary>
    internal abstract void Describe(LayoutBuilder layout);

    /// <summary>Whether what comes out of a read may be another object than the one that was created.</summary>
    internal bool IsReplaceable { get; private protected init; }

    /// <summary>Whether the body of this object follows its head however deep it lies. Asked between the
    /// two.</summary>
    internal virtual bool IsWrittenWhole(SlimWriter writer, object value) => false;

    /// <summary>Whether nothing of the above makes objects of the type special; set by <see cref="Freeze"/>.</summary>
    internal bool IsPlain { get; private set; }

    /// <summary>Called once, before the plan is used.</summary>
    internal void Freeze()
    {
        IsPlain = IsTracked && HasBody && !HeadHasReferences && !HasFinalizer && !IsReplaceable;
        ForeseenBytes = GraphBytes + (IsTracked ? HandleBytes : 0);
    }

    /// <summary>Writes head and body of an object of a plain type.</summary>
    internal virtual void WriteWhole(SlimWriter writer, object value)
    {
        WriteHead(writer, value);
        WriteBody(writer, value);
    }

    /// <summary>Creates an object of a plain type, gives it its handle and reads its body.</summary>
    internal virtual object ReadWhole(SlimReader reader)
    {
        object instance = Create(reader);
        reader.AddHandle(instance);
        ReadBody(reader, instance);
        return instance;
    }

    internal virtual void WriteHead(SlimWriter writer, object value)
    {
    }

    internal abstract object Create(SlimReader reader);

    internal virtual void WriteBody(SlimWriter writer, object value)
    {
    }

    internal virtual void ReadBody(SlimReader reader, object instance)
    {
    }

    internal virtual void Complete(SlimReader reader, object instance, object content)
    {
    }

    /// <summary>Refuses a collection that was built too early to find its keys by their final content.</summary>
    internal virtual void CheckComplete(object instance, object content)
    {
    }
}
