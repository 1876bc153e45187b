namespace Cluster.Analyzers.Travel;

/// <summary>The tables of Slim about types of the framework (<c>FrameworkForms</c>, <c>Refusals</c> and
/// <c>FrameworkRefusals</c> of Cluster.Slim) by name. A test compares them with Slim's table of framework types.
/// Immutable.</summary>
internal static class FrameworkTable
{
    private const string Handle = "it holds an operating-system handle";
    private const string Position = "it is a position in a stream";
    private const string Code = "code is not data";
    private const string Cancellation = "cancellation is not data; pass a token beside the graph";
    private const string Timer = "a timer is work in progress";
    private const string Vanishing = "what it refers to may vanish while it is written; carry the object itself";
    private const string InProgress = "it is work in progress; await it and carry its result";
    private const string OfOneThread = "its value belongs to one thread or flow of calls; carry the value";

    /// <summary>Types whose values no option allows, with the types derived from them.</summary>
    public static readonly IReadOnlyDictionary<string, string> Denied = new Dictionary<string, string>
    {
        ["System.IO.Stream"] = "it holds an operating-system handle or a position in one",
        ["System.Runtime.InteropServices.SafeHandle"] = Handle,
        ["System.Runtime.InteropServices.CriticalHandle"] = Handle,
        ["System.Threading.WaitHandle"] = Handle,
        ["System.Threading.Thread"] = "a thread lives in one process",
        ["System.Threading.Tasks.Task"] = "a task is work in progress; await it and carry its result",
        ["System.Threading.CancellationTokenSource"] = Cancellation,
        ["System.Threading.CancellationToken"] = Cancellation,
        ["System.Threading.ITimer"] = Timer,
        ["System.Threading.Timer"] = Timer,
        ["System.IO.TextReader"] = Position,
        ["System.IO.TextWriter"] = Position,
        ["System.Reflection.Assembly"] = Code,
        ["System.Reflection.Module"] = Code,
        ["System.Net.Sockets.Socket"] = Handle,
        ["System.Text.RegularExpressions.Regex"] =
            "a pattern is a program; carry its text and options, and build it where it is used",
        ["System.WeakReference"] = Vanishing,
        ["System.Runtime.CompilerServices.IAsyncStateMachine"] = "it is a method in progress",
        ["Cluster.Slim.Hosting.SlimBytes"] = "its bytes may lie in memory of somebody else; carry a byte[]",
        ["System.Collections.IEnumerator"] = "an enumerator is a position in a collection; carry the collection",
    };

    /// <summary>Types that run code when they are rebuilt, with the types derived from them.</summary>
    public static readonly HashSet<string> Gadgets =
    [
        "System.Security.Claims.ClaimsIdentity", "System.Security.Claims.ClaimsPrincipal", "System.Data.DataSet",
        "System.Data.DataTable", "System.Diagnostics.Process", "System.Diagnostics.ProcessStartInfo",
        "System.Xml.XmlDocument", "System.IO.FileSystemInfo", "System.CodeDom.Compiler.TempFileCollection",
    ];

    /// <summary>The reasons for framework types without a codec, where there is a special one.</summary>
    public static readonly IReadOnlyDictionary<string, string> Reasons = new Dictionary<string, string>
    {
        ["System.WeakReference`1"] = Vanishing,
        ["System.Runtime.CompilerServices.ConditionalWeakTable`2"] = Vanishing,
        ["System.Collections.Concurrent.BlockingCollection`1"] =
            "threads wait for each other in it; carry its items: ToArray()",
        ["System.Threading.ThreadLocal`1"] = OfOneThread,
        ["System.Threading.AsyncLocal`1"] = OfOneThread,
        ["System.Threading.Tasks.ValueTask"] = InProgress,
        ["System.Threading.Tasks.ValueTask`1"] = InProgress,
        ["System.Threading.Tasks.TaskCompletionSource"] = InProgress,
        ["System.Threading.Tasks.TaskCompletionSource`1"] = InProgress,
        ["System.Net.CookieContainer"] = "it belongs to one client; carry its cookies: GetAllCookies()",
        ["System.Net.NetworkCredential"] = "a secret does not travel unseen; carry its parts, if they must travel",
        ["System.Random"] = "its state cannot be seen; carry the seed",
        ["System.UriBuilder"] = "it is an address in the making; carry its Uri",
        ["System.Text.Json.JsonProperty"] = "it lies in a document; carry its name and its value",
    };

    /// <summary>The types that have a codec, generic ones by their definition.</summary>
    public static readonly HashSet<string> Carried =
    [
        .. In("System", "Byte SByte Char Int16 UInt16 Int32 UInt32 Int64 UInt64 Int128 UInt128 Half Single Double "
            + "TimeSpan Guid Boolean Decimal DateTime DateTimeOffset DateOnly TimeOnly Index Range ArraySegment`1 "
            + "Memory`1 ReadOnlyMemory`1 TimeZoneInfo+TransitionTime Version Uri TimeZoneInfo Type StringComparer "
            + "TimeZoneInfo+AdjustmentRule Lazy`1 DBNull EventArgs String Object Nullable`1 Tuple`1 Tuple`2 Tuple`3 "
            + "Tuple`4 Tuple`5 Tuple`6 Tuple`7 Tuple`8 ValueTuple ValueTuple`1 ValueTuple`2 ValueTuple`3 ValueTuple`4 "
            + "ValueTuple`5 ValueTuple`6 ValueTuple`7 ValueTuple`8"),
        .. In("System.Numerics", "Vector2 Vector3 Vector4 Quaternion Matrix3x2 Matrix4x4 Plane Complex BigInteger"),
        .. In("System.Drawing", "Point PointF Size SizeF Rectangle RectangleF Color"),
        .. In("System.Buffers", "ReadOnlySequence`1"),
        .. In("System.Net", "IPAddress IPEndPoint DnsEndPoint IPNetwork Cookie CookieCollection"),
        .. In("System.Net.Http", "HttpMethod"),
        .. In("System.Globalization", "CultureInfo CompareInfo SortVersion"),
        .. In("System.Reflection", "Missing"),
        .. In("System.Text", "Rune StringBuilder Encoding"),
        .. In("System.Text.Json", "JsonElement JsonDocument"),
        .. In("System.Text.Json.Nodes", "JsonObject JsonArray JsonValue"),
        .. In("System.Xml.Linq", "XElement XDocument XName XNamespace XAttribute XDeclaration"),
        .. In("System.Data.SqlTypes", "SqlBinary SqlString SqlBoolean SqlByte SqlInt16 SqlInt32 SqlInt64 SqlSingle "
            + "SqlDouble SqlGuid SqlMoney SqlDateTime SqlDecimal SqlBytes SqlChars SqlXml"),
        .. In("System.Collections", "DictionaryEntry BitArray Comparer CaseInsensitiveComparer ArrayList Queue Stack "
            + "Hashtable SortedList"),
        .. In("System.Collections.Generic", "KeyValuePair`2 EqualityComparer`1 Comparer`1 List`1 Dictionary`2 "
            + "HashSet`1 SortedSet`1 Queue`1 Stack`1 LinkedList`1 PriorityQueue`2 SortedDictionary`2 SortedList`2 "
            + "OrderedDictionary`2 ReferenceEqualityComparer"),
        .. In("System.Collections.Concurrent", "ConcurrentQueue`1 ConcurrentStack`1 ConcurrentBag`1 "
            + "ConcurrentDictionary`2"),
        .. In("System.Collections.Specialized", "NameValueCollection StringDictionary StringCollection "
            + "ListDictionary HybridDictionary OrderedDictionary BitVector32 BitVector32+Section"),
        .. In("System.Collections.ObjectModel", "Collection`1 ObservableCollection`1 ReadOnlyCollection`1 "
            + "ReadOnlyDictionary`2 ReadOnlyObservableCollection`1 ReadOnlySet`1 KeyedCollection`2"),
        .. In("System.ComponentModel", "BindingList`1"),
        .. In("System.Dynamic", "ExpandoObject"),
        .. In("System.Collections.Immutable", "ImmutableArray`1 ImmutableList`1 ImmutableHashSet`1 ImmutableQueue`1 "
            + "ImmutableStack`1 ImmutableSortedSet`1 ImmutableSortedDictionary`2 ImmutableDictionary`2"),
        .. In("System.Collections.Frozen", "FrozenSet`1 FrozenDictionary`2"),
    ];

    /// <summary>The types whose derived types in the framework are carried as the type itself.</summary>
    public static readonly HashSet<string> CarriedBases =
    [
        "System.Exception", "System.Type", "System.Net.IPAddress", "System.Text.Encoding", "System.StringComparer",
        "System.Collections.Generic.EqualityComparer`1", "System.Collections.Generic.Comparer`1",
        "System.Collections.Frozen.FrozenSet`1", "System.Collections.Frozen.FrozenDictionary`2",
        "System.Text.Json.Nodes.JsonValue",
    ];

    /// <summary>The generic vectors, which are carried if their elements are numbers.</summary>
    public static readonly HashSet<string> Vectors =
    [
        "System.Numerics.Vector`1", "System.Runtime.Intrinsics.Vector64`1", "System.Runtime.Intrinsics.Vector128`1",
        "System.Runtime.Intrinsics.Vector256`1", "System.Runtime.Intrinsics.Vector512`1",
    ];

    private static IEnumerable<string> In(string space, string names) =>
        names.Split(' ').Select(name => $"{space}.{name}");
}
