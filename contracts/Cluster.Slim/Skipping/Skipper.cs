using Cluster.Slim.Errors;
using Cluster.Slim.Graph;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Skipping;

/// <summary>Takes values from a message without building them, by their layouts. Objects keep their handles and are
/// remembered, so that they can be built when a kept object refers to them. Owned by one reader; used by one
/// thread.</summary>
internal sealed class Skipper(SlimReader reader, SkippedObjects skipped)
{
    private bool _isBodyNext;

    /// <summary>Skips the value in a place of the declared type.</summary>
    public void SkipPlace(TypeLayout declared)
    {
        if (declared.IsText)
            SkipText();
        else if (!declared.IsValue)
            SkipObject(declared);
        else if (declared.FixedBytes > 0)
            reader.Advance(declared.FixedBytes);
        else
            SkipValue(declared);
    }

    /// <summary>Skips an object of exactly the layout, whose head has been read.</summary>
    public void SkipNew(TypeLayout layout)
    {
        if (layout.IsText)
        {
            if (!SkipText())
                Throw.Malformed("A string object is null.");
            return;
        }

        if (skipped.IsReplaying)
        {
            skipped.JumpOver();
            return;
        }

        if (layout.HasCodec)
        {
            skipped.ReadForCodec(layout);
            return;
        }

        var depth = ++reader.Depth;
        if (depth > ObjectTags.HeadDepthMax && (!layout.CanWait || layout.CreationHasPlaces))
            Throw.FormatLimit("Nesting", $"{layout.Name} is nested {ObjectTags.HeadDepthMax} levels deep.");
        var entry = skipped.Begin(layout, depth);
        _isBodyNext = false;
        var length = SkipSteps(layout, layout.Creation, 0);
        var isBodyNext = _isBodyNext;
        if (isBodyNext && depth > ObjectTags.HeadDepthMax)
            Throw.FormatLimit("Nesting", $"{layout.Name} is nested {ObjectTags.HeadDepthMax} levels deep.");
        if (layout.CanWait && depth > ObjectTags.DepthMax && !isBodyNext)
        {
            skipped.Defer(entry, length);
        }
        else
        {
            skipped.BeginBody(entry);
            SkipBody(layout, length);
            skipped.End(entry);
        }

        reader.Depth = depth - 1;
    }

    /// <summary>Skips the body of an object; the body of a box is the value.</summary>
    public void SkipBody(TypeLayout layout, int length)
    {
        if (layout.IsValue)
            SkipPlace(layout);
        else
            SkipSteps(layout, layout.Body, length);
    }

    /// <summary>Skips steps; returns the length that they contained, or the given one.</summary>
    public int SkipSteps(TypeLayout layout, LayoutStep[] steps, int length)
    {
        foreach (var step in steps)
        {
            switch (step.Op)
            {
                case LayoutOp.Length:
                    length = reader.ReadCount(1);
                    break;
                case LayoutOp.Dimensions:
                    length = ReadDimensions(step.Count);
                    break;
                case LayoutOp.Elements:
                    SkipPlaces(step.Types, length);
                    break;
                case LayoutOp.Fields:
                    foreach (var field in layout.Fields)
                        SkipPlace(field.Type);
                    break;
                case LayoutOp.Codec:
                    skipped.ReadForCodec(layout);
                    break;
                default:
                    SkipStep(step);
                    break;
            }
        }

        return length;
    }

    private void SkipStep(LayoutStep step)
    {
        switch (step.Op)
        {
            case LayoutOp.Bytes:
                reader.Advance(step.Count);
                break;
            case LayoutOp.Place:
                SkipPlace(step.Types[0]);
                break;
            case LayoutOp.Items:
                SkipPlaces(step.Types, reader.ReadCount(LayoutSizes.ItemBytesMinOf(step)));
                break;
            case LayoutOp.Optional:
                SkipOptional(step.Types[0]);
                break;
            case LayoutOp.Repeat:
                SkipPlaces(step.Types, step.Count);
                break;
            case LayoutOp.Comparer:
                SkipComparer();
                break;
            case LayoutOp.Segment:
                SkipSegment(step.Types[0]);
                break;
            case LayoutOp.Address:
                SkipAddress();
                break;
            case LayoutOp.Target:
                SkipTarget();
                break;
            case LayoutOp.TypeReference:
                reader.ReadLayout();
                break;
            default:
                SkipBits();
                break;
        }
    }

    /// <summary>Skips an object place. False: it was null.</summary>
    public bool SkipObject(TypeLayout declared)
    {
        var head = reader.ReadVar();
        switch (head)
        {
            case ObjectTags.Null:
                return false;
            case ObjectTags.NewExact:
                if (declared.IsOpen)
                    Throw.Malformed($"An object without its type stands in a place of {declared.Name}.");
                SkipNew(declared);
                break;
            case ObjectTags.NewTyped:
                SkipNew(reader.ReadLayout());
                break;
            default:
                skipped.CheckReference(head - ObjectTags.ReferenceFirst);
                break;
        }

        return true;
    }

    /// <summary>Skips a text. False: it was null.</summary>
    public bool SkipText()
    {
        var header = reader.ReadVar();
        if (header == 0)
            return false;
        var length = (header - 1) >> 1;
        if (length > (uint)reader.Limits.MaxStringLength)
            Throw.Limit(nameof(SlimLimits.MaxStringLength), reader.Limits.MaxStringLength, length);
        reader.Advance(((header - 1) & 1) != 0 ? length * 2L : length);
        return true;
    }

    private void SkipValue(TypeLayout layout)
    {
        reader.Depth++;
        SkipSteps(layout, layout.Body, 0);
        reader.Depth--;
    }

    // Every place takes at least one byte, so that the loops end with the message.
    private void SkipPlaces(TypeLayout[] types, int count)
    {
        if (types is [{ FixedBytes: > 0 } element])
        {
            reader.Advance((long)count * element.FixedBytes);
            return;
        }

        for (var i = 0; i < count; i++)
        {
            foreach (var type in types)
                SkipPlace(type);
        }
    }

    private void SkipOptional(TypeLayout type)
    {
        var flag = reader.ReadByte();
        if (flag > 1)
            Throw.Malformed("The flag of a nullable value is neither 0 nor 1.");
        if (flag == 1)
            SkipPlace(type);
    }

    private void SkipSegment(TypeLayout array)
    {
        if (!SkipObject(array))
            return;
        reader.ReadVar();
        reader.ReadVar();
    }

    private void SkipComparer()
    {
        int code = reader.ReadByte();
        if (code > ComparerCodes.Own)
            Throw.Malformed($"The comparer {code} does not exist.");
        if (code == ComparerCodes.Culture)
        {
            SkipText();
            reader.Advance(sizeof(int));
        }
    }

    private void SkipTarget()
    {
        var mark = ReplacementFlagsReader.Read(reader);
        if ((mark & ReplacementFlags.OtherType) != 0)
            reader.ReadLayout();
        _isBodyNext = (mark & ReplacementFlags.BodyNext) != 0;
    }

    private void SkipAddress()
    {
        int count = reader.ReadByte();
        if (count is not (4 or 16))
            Throw.Malformed("An IP address is neither 4 nor 16 bytes long.");
        reader.Advance(count == 16 ? count + sizeof(uint) : count);
    }

    private void SkipBits() => reader.Advance(((long)reader.ReadVar() + 7) / 8);

    private int ReadDimensions(int rank)
    {
        long product = 1;
        for (var i = 0; i < rank; i++)
        {
            reader.Advance(sizeof(int));
            long length = reader.ReadVar();
            product = length != 0 && product > int.MaxValue / length ? int.MaxValue + 1L : product * length;
        }

        if (product > reader.Remaining)
            Throw.Malformed($"The {product} elements of an array are more than the rest of the message can hold.");
        return (int)product;
    }
}
