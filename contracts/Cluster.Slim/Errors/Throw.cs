namespace Cluster.Slim.Errors;

/// <summary>Builds the exceptions of this library in one place: hot paths stay small, equal errors have equal texts,
/// and every exception knows the line that refused. Methods that return an exception are for <c>throw</c>
/// expressions.</summary>
internal static class Throw
{
    // Names from the wire may be long; errors end up in logs.
    private const int WireTextLengthMax = 512;

    [DoesNotReturn]
    public static void Malformed(
        string message, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        throw new SlimMalformedException(message) { Site = RefusalSite.Of(file, line) };

    /// <summary>An error for code that failed because of the bytes, such as a user's code or a constructor.</summary>
    public static SlimMalformedException Failed(
        string message, Exception cause, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        new(Cut(message), cause) { Site = RefusalSite.Of(file, line) };

    [DoesNotReturn]
    public static void Truncated([CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        throw new SlimMalformedException("The message ends before the value it announces.")
        {
            Site = RefusalSite.Of(file, line),
        };

    [DoesNotReturn]
    public static void Limit(
        string name, long limit, long found, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        throw new SlimLimitException($"{found} is over the limit SlimLimits.{name} = {limit}.")
        {
            LimitName = name, Site = RefusalSite.Of(file, line),
        };

    [DoesNotReturn]
    public static void FormatLimit(
        string name, string message, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        throw new SlimLimitException(message) { LimitName = name, Site = RefusalSite.Of(file, line) };

    public static SlimLayoutException Layout(
        string typeName, string message, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        new(Cut(message)) { TypeName = typeName, Site = RefusalSite.Of(file, line) };

    public static SlimLayoutException UnknownFingerprint(
        ulong fingerprint, Type root, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        new(
            $"No type on the closed list of {root} has the layout fingerprint {fingerprint:x16}. Either it has to be "
            + "added with Allow, or the sides differ in its fields. Only descriptions bridge that: write with "
            + "SlimSchema.Full, or give both sides the same version.")
        {
            UnknownFingerprint = fingerprint, Site = RefusalSite.Of(file, line),
        };

    public static SlimTypeNotAllowedException NotAllowed(
        Type type, Type root, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        NewNotAllowed(type.FullName ?? type.Name, $"{type}", root, CodeNameOf(type), RefusalSite.Of(file, line));

    public static SlimTypeNotAllowedException NotAllowed(
        string name, Type root, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        name = Cut(name);
        var end = name.AsSpan().IndexOfAny(',', '[');
        var code = (end < 0 ? name : name[..end]).Replace('+', '.');
        return NewNotAllowed(name, name, root, code, RefusalSite.Of(file, line));
    }

    /// <summary>A message of an earlier process names a type that this program does not have.</summary>
    public static SlimTypeNotAllowedException NoSuchType(
        string name, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        new($"{Cut(name)} is no type of this program. Bring it back, or tell its new name with an Alias.")
        {
            TypeName = Cut(name), Site = RefusalSite.Of(file, line),
        };

    public static SlimTypeNotSupportedException NotSupported(
        Type type, string reason, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        new($"{type} cannot be carried: {reason}")
        {
            TypeName = type.FullName ?? type.Name, Site = RefusalSite.Of(file, line),
        };

    /// <summary>An error for user code that failed while its object was written.</summary>
    public static SlimTypeNotSupportedException CodeFailed(
        object value,
        string reason,
        Exception cause,
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        new($"{value.GetType()} cannot be carried: {reason}", cause)
        {
            TypeName = value.GetType().FullName ?? value.GetType().Name,
            Site = RefusalSite.Of(file, line),
            Culprit = value,
        };

    /// <summary>An error for an object of an external interface in a message that has no
    /// <c>ISlimReferences</c>.</summary>
    public static SlimTypeNotSupportedException NoHost(
        Type declared, object value, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        new($"{declared} cannot be carried: its objects stay where they are, and nobody takes references to them here.")
        {
            TypeName = declared.FullName ?? declared.Name, Site = RefusalSite.Of(file, line), Culprit = value,
        };

    private static SlimTypeNotAllowedException NewNotAllowed(
        string name, string shown, Type root, string code, RefusalSite site) =>
        new($"{shown} is not on the closed list of {root}. Add it: new SlimOptions().Allow<{code}>().")
        {
            TypeName = name, AllowCall = $"Allow<{code}>()", Site = site,
        };

    // Control characters of a name from the wire could break a log line or move a terminal's cursor.
    private static string Cut(string text)
    {
        if (text.Length > WireTextLengthMax)
            text = text[..WireTextLengthMax] + "...";
        return text.Any(IsUnfit)
            ? string.Concat(text.Select(one => IsUnfit(one) ? $@"\u{(int)one:X4}" : one.ToString()))
            : text;
    }

    private static bool IsUnfit(char one) => char.GetUnicodeCategory(one)
        is UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator
            or UnicodeCategory.ParagraphSeparator;

    private static string CodeNameOf(Type type)
    {
        if (type.IsArray)
            return $"{CodeNameOf(type.GetElementType()!)}[{new string(',', type.GetArrayRank() - 1)}]";
        var name = (type.FullName ?? type.Name).Replace('+', '.');
        if (!type.IsGenericType)
            return name;
        var open = name[..name.IndexOf('`', StringComparison.Ordinal)];
        return $"{open}<{string.Join(", ", type.GetGenericArguments().Select(CodeNameOf))}>";
    }
}
