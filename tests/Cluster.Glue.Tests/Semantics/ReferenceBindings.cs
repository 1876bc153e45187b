namespace Cluster.Glue.Tests.Semantics;

public sealed class StreamsOverLinkTests() : StreamSemanticTests(SemanticBinding.Link());

public sealed class StreamsOverUnaryTests() : StreamSemanticTests(SemanticBinding.Unary());

public sealed class StreamsInProcessTests() : StreamSemanticTests(SemanticBinding.InProcess());

public sealed class StreamsInProcessSerializedTests() : StreamSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class StreamsOverUnixSocketTests() : StreamSemanticTests(SemanticBinding.UnixSocket());

public sealed class StreamsOverMutualTlsTests() : StreamSemanticTests(SemanticBinding.MutualTls());

public sealed class CallbacksOverLinkTests() : CallbackSemanticTests(SemanticBinding.Link());

public sealed class CallbacksOverUnaryTests() : CallbackSemanticTests(SemanticBinding.Unary());

public sealed class CallbacksInProcessTests() : CallbackSemanticTests(SemanticBinding.InProcess());

public sealed class CallbacksInProcessSerializedTests() : CallbackSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class CallbacksOverUnixSocketTests() : CallbackSemanticTests(SemanticBinding.UnixSocket());

public sealed class CallbacksOverMutualTlsTests() : CallbackSemanticTests(SemanticBinding.MutualTls());

public sealed class StreamMatrixOverLinkTests() : StreamMatrixTests(SemanticBinding.Link());

public sealed class StreamMatrixOverUnaryTests() : StreamMatrixTests(SemanticBinding.Unary());

public sealed class StreamMatrixInProcessTests() : StreamMatrixTests(SemanticBinding.InProcess());

public sealed class StreamMatrixInProcessSerializedTests() : StreamMatrixTests(SemanticBinding.InProcessSerialized());

public sealed class StreamMatrixOverUnixSocketTests() : StreamMatrixTests(SemanticBinding.UnixSocket());

public sealed class StreamMatrixOverMutualTlsTests() : StreamMatrixTests(SemanticBinding.MutualTls());
