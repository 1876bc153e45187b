using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>A place of a class, array or interface type. An object of exactly the declared type goes without its type;
/// others name theirs, and reading checks that it fits before anything is created. The cached serializers are written
/// racily; every thread computes the same ones.</summary>
/// <typeparam name="T">The declared type of the place.</typeparam>
internal sealed class ReferenceFieldSerializer<T>(SerializerSource source) : FieldSerializer<T?>
    where T : class
{
    private readonly bool _canBeExact = !typeof(T).IsAbstract && !typeof(T).IsInterface && typeof(T) != typeof(object);
    private readonly bool _isSealed = typeof(T).IsSealed && !typeof(T).IsArray;
    private readonly bool _fitsAll = typeof(T) == typeof(object);
    private readonly bool _isExternal = source.Rules.IsExternal(typeof(T));
    private TypeSerializer? _exact;
    private TypeSerializer? _lastFitting;

    public override int BytesMin => 1;

    public override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(T));

    public override void Write(SlimWriter writer, T? value)
    {
        if (value is null)
        {
            writer.WriteByte(ObjectTags.Null);
            return;
        }

        if (_exact is { IsPlain: true } exact && (_isSealed || value.GetType() == typeof(T)))
            writer.WriteExact(exact, value);
        else
            WriteOther(writer, value);
    }

    // The loop calls nothing virtual, which the one of the base class has to.
    public override void WriteSpan(SlimWriter writer, ReadOnlySpan<T?> values)
    {
        if (writer.Trace is not null)
        {
            base.WriteSpan(writer, values);
            return;
        }

        foreach (var value in values)
            Write(writer, value);
    }

    // The type has no code of the user that could change the elements between the look at them and their bytes.
    public override bool TryWriteLone(SlimWriter writer, ReadOnlySpan<T?> values)
    {
        if (!_isSealed || values.Length < DistinctObjects.CountMin || !writer.AreLone(typeof(T))
            || _exact is not FieldsSerializer<T> { IsPlain: true } serializer || writer.Trace is not null)
            return false;
        var count = DistinctObjects.CountIfAllDiffer(values);
        if (count < 0)
            return false;
        writer.Identity.Skip(count);
        foreach (var value in values)
        {
            writer.WriteByte(value is null ? ObjectTags.Null : ObjectTags.NewExact);
            if (value is not null)
                writer.WriteNew(serializer, value);
        }

        return true;
    }

    public override T? Read(SlimReader reader)
    {
        var head = reader.ReadVar();
        if (head == ObjectTags.NewExact && _exact is { IsPlain: true } plain)
            return Unsafe.As<T>(reader.ReadNew(plain));
        switch (head)
        {
            case ObjectTags.Null:
                return null;
            case ObjectTags.NewExact:
                var exact = _exact ?? FindExact();
                return exact.IsReplaceable
                    ? ReadReplaceable(reader, exact)
                    : Unsafe.As<T>(reader.ReadNew(exact));
            case ObjectTags.NewTyped:
                var serializer = reader.ReadType();
                if (serializer.IsReplaceable)
                    return ReadReplaceable(reader, serializer);
                if (!_fitsAll && !ReferenceEquals(serializer, _lastFitting))
                    CheckFits(serializer);
                return Unsafe.As<T>(reader.ReadNew(serializer));
            default:
                var known = reader.ReadReference(head);
                if (known.GetType() != typeof(T) && !_fitsAll && known is not T)
                    ThrowUnfit();
                return Unsafe.As<T>(known);
        }
    }

    private void WriteOther(SlimWriter writer, T value)
    {
        if (!_canBeExact || value.GetType() != typeof(T))
        {
            if (_isExternal)
                HostReferenceSerializer.Write(writer, typeof(T), value);
            else
                writer.WriteTyped(value);
            return;
        }

        var serializer = _exact ??= source.SerializerOf(typeof(T));
        if (writer.TryWriteReference(value))
            return;
        writer.WriteByte(ObjectTags.NewExact);
        writer.WriteNew(serializer, value);
    }

    // A method of its own: the text would take room on the stack, which every read would have to clear.
    private static void ThrowUnfit() =>
        Throw.Malformed($"A reference points to an object that is not a {typeof(T)}.");

    private TypeSerializer FindExact()
    {
        if (!_canBeExact)
            Throw.Malformed($"An object without its type stands in a place of {typeof(T)}.");
        return _exact = source.SerializerOf(typeof(T));
    }

    // Only what comes out has to fit; what is created may stand for it and be of any listed type.
    private T ReadReplaceable(SlimReader reader, TypeSerializer serializer)
    {
        var value = HostImports.Read(reader, serializer, _isExternal ? typeof(T) : null);
        if (value is T fitting)
            return fitting;
        Throw.Malformed($"A {value.GetType()} stands in a place of {typeof(T)}; if it stands for another object, that "
            + "one is not known yet, because it is made of objects that contain this place.");
        return null!;
    }

    private void CheckFits(TypeSerializer serializer)
    {
        if (!typeof(T).IsAssignableFrom(serializer.Type))
            Throw.Malformed($"An object of type {serializer.Type} stands in a place of {typeof(T)}.");
        _lastFitting = serializer;
    }
}
